"""What is checked in every page while the site is built, before anything of it is published."""
