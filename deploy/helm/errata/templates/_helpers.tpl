{{- define "errata.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "errata.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "errata.labels" -}}
{{ include "errata.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "errata.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "errata.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else if .Values.serviceAccount.create }}{{ include "errata.name" . }}{{ else }}default{{ end }}
{{- end }}

{{/* The Secret with the settings; empty where there is none or a volume has them. */}}
{{- define "errata.secret" -}}
{{- if .Values.secrets.existingSecret }}{{ .Values.secrets.existingSecret }}{{ else if .Values.secrets.values }}{{ include "errata.name" . }}{{ end }}
{{- end }}

{{/* Names of the settings that are files, as a JSON list. */}}
{{- define "errata.secretKeys" -}}
{{- if .Values.secrets.values }}{{ keys .Values.secrets.values | sortAlpha | toJson }}{{ else }}{{ .Values.secrets.keys | sortAlpha | toJson }}{{ end }}
{{- end }}

{{/* What the schema cannot say. */}}
{{- define "errata.validate" -}}
{{- $keys := include "errata.secretKeys" . | fromJsonArray }}
{{- with .Values.secrets }}
{{- $sources := 0 }}
{{- range list .existingSecret .csi .values }}{{ if . }}{{ $sources = add1 $sources }}{{ end }}{{ end }}
{{- if gt $sources 1 }}{{ fail "secrets: choose one of existingSecret, csi and values" }}{{ end }}
{{- if and (or .existingSecret .csi) (not .keys) }}{{ fail "secrets.keys: name the settings that the Secret or the volume has" }}{{ end }}
{{- if and .keys (not .existingSecret) (not .csi) }}{{ fail "secrets.keys: set existingSecret or csi too" }}{{ end }}
{{- end }}
{{- range $keys }}{{ if hasKey $.Values.settings . }}{{ fail (printf "settings.%s is a secret already: keep only one of them" .) }}{{ end }}{{ end }}
{{- if eq .Values.mode "distributed" }}
{{- range list "DATABASE_URL" "CLICKHOUSE_URL" "ERRATA_SECRET" "ERRATA_METRICS_TOKEN" }}
{{- if not (has . $keys) }}{{ fail (printf "mode distributed needs %s among the secrets" .) }}{{ end }}
{{- end }}
{{- range list "ERRATA_SPOOL_URL" "ERRATA_BLOBS_URL" }}
{{- if not (hasKey $.Values.settings .) }}{{ fail (printf "mode distributed needs settings.%s" .) }}{{ end }}
{{- end }}
{{- with .Values.digest.autoscaling }}
{{- if and .enabled (eq .source "postgresql") (not (include "errata.secret" $)) }}{{ fail "digest.autoscaling: source postgresql needs DATABASE_URL in a Secret; use source prometheus" }}{{ end }}
{{- if and .enabled (eq .source "prometheus") (not .prometheus.serverAddress) }}{{ fail "digest.autoscaling.prometheus.serverAddress is missing" }}{{ end }}
{{- end }}
{{- end }}
{{- if and .Values.podMonitor.enabled (not (and (include "errata.secret" .) (has "ERRATA_METRICS_TOKEN" $keys))) }}{{ fail "podMonitor needs ERRATA_METRICS_TOKEN in a Secret" }}{{ end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}{{ fail "httpRoute.parentRefs: name your Gateway" }}{{ end }}
{{- end }}
