{# What changes numbers: loaded when the first group with numbers opens, so that reading a prompt does not wait for it. -#}
{% from "partials/bundle.html" import scripts -%}
{{ scripts(["display", "evaluate", "amount", "address", "whatif", "places", "fields", "moves", "answers", "copy"]) }}
