"""From people to load: how many requests arrive, and how many are in flight."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied

_PEAK_HOUR = Constant(3600, "s")
_ONE_REPLICA = implied("replica")


@formula("request/s", "peak requests/s", source="definition")
def arrival_rate_at_peak(
    users: Annotated[N, In("user", "users")],
    requests_per_user: Annotated[N, In("request/user", "requests per user")],
    peak_share: Annotated[N, In("", "peak share", most=1)],
) -> N:
    """Requests per second in the busiest hour of a day.

    A day brings users × requests per user. The share of them that falls into the busiest hour arrives within
    3,600 seconds, so divide by that. A flat day would put one part in 24 into each hour; real days put two to five
    times as much into the busiest.

    Trap: dividing the day's requests by 86,400 s gives the average, and a fleet sized by it queues every evening.
    """
    return users * requests_per_user * peak_share / _PEAK_HOUR


@formula("request", "requests in flight", source="J. D. C. Little, Operations Research 9(3), 1961")
def concurrency(
    arrival_rate: Annotated[N, In("request/s", "arrival rate")],
    duration: Annotated[N, In("s", "duration")],
) -> N:
    """Requests that are in flight at once, by Little's law.

    Take the average rate of arrivals over a long while and the mean time that a request stays: their product is how
    many are inside on average. It holds for every pattern of arrivals and every order of service, as long as the
    system keeps up.

    Trap: requests per second are not concurrent requests; the time each one stays makes the difference.
    """
    return arrival_rate * duration


@formula("s", "time that each stays", source="J. D. C. Little, Operations Research 9(3), 1961")
def residence_time(
    inside: Annotated[N, In("request", "inside")],
    arrival_rate: Annotated[N, In("request/s", "arrival rate")],
) -> N:
    """Time that each one stays when a place of known size is always full, by Little's law.

    What fits inside ÷ what comes in: the newcomer pushes out the one that has been there longest.

    Trap: a cache that holds thousands of conversations can still forget each of them within seconds.
    """
    return inside / arrival_rate


@formula(
    "s",
    "mean wait",
    source="Pollaczek and Khinchine, one server with equal jobs; Erlang's chance of a wait is at most the load",
)
def queue_wait(
    service: Annotated[N, In("s", "service time")],
    servers: Annotated[N, In("replica", "servers")],
    load: Annotated[N, In("", "load", most=0.999)],
) -> N:
    """Mean wait in one queue before several equal servers, for jobs of one length that arrive at random.

    With a single server the wait is service × load ÷ (2 × (1 − load)). Several servers that share the queue empty it as
    many times faster, and a job finds them all busy no more often than the load says, so dividing by the servers gives
    a wait that real queues stay below.

    Trap: it is the mean. The 95th percentile is three to four times as long, and jobs of mixed lengths wait longer.
    """
    return service * load / (2 * servers * (1 - load)) * _ONE_REPLICA
