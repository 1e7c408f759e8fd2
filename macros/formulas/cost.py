"""From GPU time to money."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula

# Conversions, not values: in base units each of them is one, since dollars per hour and per second are one price.
_THOUSAND = Constant(1000, "request/krequest", shown="1,000")
_SECONDS_PER_HOUR = Constant(3600, "s/hour", shown="3,600")
_DAY = Constant(24, "hour")


@formula("USD/krequest", "cost per 1,000 requests", source="definition")
def cost_per_1000(
    gpu_seconds: Annotated[N, In("GPU*s/request", "GPU-seconds per request")],
    price: Annotated[N, In("USD/GPU/hour", "price per GPU-hour")],
) -> N:
    """Cost of a thousand requests on GPUs that are always busy.

    GPU-seconds of one request, times a thousand, in hours, times the price of an hour.

    Trap: it is the cost at full load. A fleet that is sized for the peak is paid around the clock.
    """
    return gpu_seconds * _THOUSAND / _SECONDS_PER_HOUR * price


@formula("USD/krequest", "cost per 1,000 requests, fixed fleet", source="definition")
def average_cost_per_1000(
    gpus: Annotated[N, In("GPU", "GPUs")],
    price: Annotated[N, In("USD/GPU/hour", "price")],
    users: Annotated[N, In("user", "users")],
    requests_per_user: Annotated[N, In("request/user", "requests per user")],
) -> N:
    """Cost of a thousand requests when the peak's fleet is paid all day: a day's bill ÷ a day's requests.

    The fleet costs GPUs × price for every one of the day's hours. The requests of the day are users × requests of each.

    Trap: quoting the cost at the peak for a fleet that cannot be given back at night.
    """
    return gpus * price * _DAY / (users * requests_per_user) * _THOUSAND
