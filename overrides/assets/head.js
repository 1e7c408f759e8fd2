{# What must run before the first paint. -#}
{% from "partials/bundle.html" import scripts -%}
{{ scripts(["store", "clock", "folds"]) }}
