{# The board, on the home page alone. -#}
{% from "partials/bundle.html" import scripts -%}
{{ scripts(["backup", "board"]) }}
