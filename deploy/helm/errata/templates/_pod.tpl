{{/*
The pod of a role. Of the dictionary: root, role (the component), roles (as after --roles; empty for all), data (the volume
of /data).
*/}}
{{- define "errata.pod" -}}
{{- $values := .root.Values }}
{{- $own := index $values .role }}
{{- $keys := include "errata.secretKeys" .root | fromJsonArray }}
{{- $hasEdge := or (eq .roles "") (contains "edge" .roles) -}}
metadata:
  labels:
    {{- include "errata.labels" . | nindent 4 }}
  {{- if or $own.podAnnotations $values.secrets.values }}
  annotations:
    {{- if $values.secrets.values }}
    checksum/secrets: {{ toJson $values.secrets.values | sha256sum }}
    {{- end }}
    {{- with $own.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
spec:
  serviceAccountName: {{ include "errata.serviceAccount" .root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: errata
      image: {{ include "errata.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        - serve
        {{- if .roles }}
        - --roles
        - {{ .roles }}
        {{- end }}
      env:
        - name: ERRATA_URL
          value: {{ $values.url | quote }}
        {{- if not $hasEdge }}
        - name: ERRATA_HEALTH_PORT
          value: "9000"
        {{- end }}
        {{- range $name, $value := $values.settings }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- range $keys }}
        - name: {{ . }}_FILE
          value: /run/secrets/errata/{{ . }}
        {{- end }}
      ports:
        - name: http
          containerPort: 9000
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      startupProbe:
        httpGet: { path: {{ ternary "/health/ready" "/health/live" (eq .role "single") }}, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: {{ div $values.startupSeconds 5 }}
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        {{- if eq .role "web" }}
        # Of the pages: the edge in front of them answers by itself before they do.
        httpGet: { path: /icon.svg, port: http }
        {{- else if $hasEdge }}
        # Not whether the stores answer: while one is away, events are still accepted.
        httpGet: { path: /health/ingest, port: http }
        {{- else }}
        httpGet: { path: /health/ready, port: http }
        {{- end }}
        periodSeconds: 5
        timeoutSeconds: 5
      lifecycle:
        preStop:
          exec:
            command: [sleep, "5"]
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        {{- if $keys }}
        - { name: secrets, mountPath: /run/secrets/errata, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
    {{- with .data }}
    - name: data
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- if $keys }}
    - name: secrets
      {{- if $values.secrets.csi }}
      csi:
        {{- toYaml $values.secrets.csi | nindent 8 }}
      {{- else }}
      secret:
        secretName: {{ include "errata.secret" .root }}
        defaultMode: 0440
        items:
          {{- range $keys }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
      {{- end }}
    {{- end }}
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if ne .role "single" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "errata.selector" . | nindent 10 }}
  {{- end }}
{{- end }}
