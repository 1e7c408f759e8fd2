"""Prices: tokens by the million, cascades, and when a fleet of one's own pays."""

from typing import Annotated

from macros.sizing import In, N, formula


@formula("USD/request", "API price per request", source="providers' price lists, per million tokens")
def api_price_per_request(
    input_tokens: Annotated[N, In("token/request", "input tokens")],
    input_price: Annotated[N, In("USD/Mtoken", "input price")],
    output_tokens: Annotated[N, In("token/request", "output tokens")],
    output_price: Annotated[N, In("USD/Mtoken", "output price")],
) -> N:
    """What an API charges for one request.

    Input and output tokens each at their price. The price carries its unit, so a million is divided by once.

    Trap: price lists give dollars per token, per thousand and per million tokens; a bare number fits all three.
    """
    return input_tokens * input_price + output_tokens * output_price


@formula("USD/krequest", "cost of a cascade", source="law of total expectation")
def cascade_cost(
    own: Annotated[N, In("USD/krequest", "cost of this tier")],
    passed_on: Annotated[N, In("", "share passed on", most=1)],
    rest: Annotated[N, In("USD/krequest", "cost of the next tier")],
) -> N:
    """Expected cost of a request that a cheap tier sees first and passes on in part.

    Every request pays the first tier; a share of them pays the next one as well. A longer cascade is the cost of its
    second tier, with all that follows, put in as the next one's.

    Trap: shares of all requests are not shares of what a tier sees. The third tier's share is of the second's.
    """
    return own + passed_on * rest


@formula("USD/month", "bill of a fleet", source="definition")
def fleet_bill(
    gpus: Annotated[N, In("GPU", "GPUs")],
    price: Annotated[N, In("USD/GPU/hour", "price per GPU-hour")],
) -> N:
    """What GPUs cost that are rented around the clock.

    GPUs × price, for every hour of a month of 730.

    Trap: people, egress and spares are not in it, and the GPUs are paid at night as well.
    """
    return gpus * price


@formula("request/month", "break-even volume", source="fixed + own × volume = API × volume, solved")
def break_even_volume(
    fixed: Annotated[N, In("USD/month", "fixed cost")],
    api: Annotated[N, In("USD/request", "API price per request")],
    own: Annotated[N, In("USD/request", "own cost per request")],
) -> N:
    """Requests from which on a fleet of one's own is cheaper than an API.

    The fixed cost ÷ what each request saves.

    Trap: it is no answer by itself. Where the fleet cannot serve that many, or a request saves nothing and the volume
    is negative, it never breaks even.
    """
    return fixed / (api - own)
