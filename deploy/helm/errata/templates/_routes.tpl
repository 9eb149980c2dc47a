{{/*
Which paths go where, as a JSON list of {path, service}. What SDKs send is below /api/<project>/, and the longest path
wins: the web API and what else the pages answer below /api is named.
*/}}
{{- define "errata.routes" -}}
{{- $name := include "errata.name" . }}
{{- if eq .Values.mode "single" }}
{{- list (dict "path" "/" "service" $name) | toJson }}
{{- else }}
{{- $routes := list (dict "path" "/api" "service" (printf "%s-edge" $name)) (dict "path" "/monitoring" "service" (printf "%s-edge" $name)) }}
{{- range list "/api/0" "/api/hooks" "/api/live" "/api/palette" "/" }}
{{- $routes = append $routes (dict "path" . "service" (printf "%s-web" $name)) }}
{{- end }}
{{- $routes | toJson }}
{{- end }}
{{- end }}
