{# On every page but those of rounds. -#}
{% from "partials/bundle.html" import scripts -%}
{{ scripts(["running"]) }}
