"""A small design, in which each kind of mistake can be made."""

from macros.sizing import Builder, ceil


def chain(c: Builder) -> None:
    """From users to GPUs and what they cost."""
    given = c.given
    numbers, bill = c.part("numbers"), c.part("bill")
    gpus = numbers.step("gpus", "GPUs at the peak", "GPU", short="GPUs").of(
        ceil(given.users * given.active / given.users_per_gpu)
    )
    bill.step("cost", "Cost of the fleet", "USD/hour", short="cost").of(gpus * given.price)
    bill.step("memory", "Memory of the fleet", "GB", short="memory").of(gpus * given.gpu.memory)
    c.headline(gpus)
    c.ceiling("capacity", gpus)
    c.require("to-be-had", "The GPUs can be had", gpus, at_most=given.most_gpus)
