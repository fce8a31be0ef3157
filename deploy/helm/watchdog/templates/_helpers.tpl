{{/* dict "root" . "target" "web" */}}
{{- define "watchdog.image" -}}
{{- with .root.Values.image }}{{ .repository }}-{{ $.target }}:{{ .tag | default $.root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{/* Labels and annotations of a pod: dict "root" . "part" "web" */}}
{{- define "watchdog.podMetadata" -}}
labels:
  {{- include "watchdog.selector" . | nindent 2 }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/settings: {{ list .root.Values.settings .root.Values.proxy.settings | toJson | sha256sum }}
  {{- with .root.Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Labels of a part: dict "root" . "part" "web" */}}
{{- define "watchdog.selector" -}}
app.kubernetes.io/name: watchdog
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "watchdog.labels" -}}
{{ include "watchdog.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* What every pod has in common. */}}
{{- define "watchdog.pod" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- with .Values.trustedCA }}
  - name: trusted-ca
    configMap: {name: {{ . | quote }} }
  {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* What every container has in common: dict "root" . "target" "web" "env" (list …) */}}
{{- define "watchdog.container" -}}
{{- $values := .root.Values -}}
image: {{ include "watchdog.image" . | quote }}
imagePullPolicy: {{ $values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- if ne .target "proxy" }}
envFrom:
  - secretRef: {name: {{ $values.existingSecret | quote }} }
  - configMapRef: {name: {{ printf "%s-settings" .root.Release.Name | quote }} }
{{- end }}
{{- $env := .env | default list }}
{{- if $values.trustedCA }}
{{- $file := "/etc/watchdog/ca/ca.crt" }}
{{- $env = concat $env (list (dict "name" "SSL_CERT_FILE" "value" $file) (dict "name" "REQUESTS_CA_BUNDLE" "value" $file)) }}
{{- end }}
{{- with concat $env $values.extraEnv }}
env: {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
  {{- if $values.trustedCA }}
  - {name: trusted-ca, mountPath: /etc/watchdog/ca, readOnly: true}
  {{- end }}
  {{- with $values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* dict "root" . "part" "web" "name" NAME "with" .Values.ingress */}}
{{- define "watchdog.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name }}
  labels: {{- include "watchdog.labels" . | nindent 4 }}
  {{- with .with.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .with.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .with.tlsSecret }}
  tls:
    - hosts: [{{ $.with.host | quote }}]
      secretName: {{ . }}
  {{- end }}
  rules:
    - host: {{ .with.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ .root.Release.Name }}-{{ .part }}
                port: {name: http}
{{- end -}}

{{/* For how many seconds the oldest due item of these queues has waited; 0 where nothing waits. Each
     table has an index on the due times of what is queued. Nothing waits in `maintenance`. */}}
{{- define "watchdog.waiting" -}}
{{- $tables := dict
  "checks" (list "analysis_check WHERE batch_id IS NULL AND")
  "batches" (list "analysis_check WHERE batch_id IS NOT NULL AND" "analysis_job WHERE")
  "assistant" (list "assistant_turn WHERE")
  "documents" (list "documents_document WHERE")
  "notifications" (list "notifications_notification WHERE")
-}}
SELECT greatest(0, extract(epoch FROM now() - min(due_at))) FROM (
SELECT NULL::timestamptz AS due_at
{{- range $queue := . }}
{{- range $rows := get $tables $queue | default list }} UNION ALL
SELECT min(due_at) FROM {{ $rows }} state = 'queued'
{{- end }}
{{- end }}) AS waiting
{{- end -}}
