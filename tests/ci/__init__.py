"""What the workflows in `.github/workflows` run beyond the commands that everyone has."""
