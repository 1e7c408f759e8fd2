{# What every page runs once it is there; each part looks for its own elements. A part stands after those that it asks. -#}
{% from "partials/bundle.html" import scripts -%}
{{ scripts(["progress", "reveal", "pad", "rubric", "round", "steps", "quiz", "notice", "theme"]) }}
