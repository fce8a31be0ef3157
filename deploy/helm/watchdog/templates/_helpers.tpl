{{- define "watchdog.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
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
volumes:
  - name: tmp
    emptyDir: {}
{{- end -}}

{{/* What every container has in common. */}}
{{- define "watchdog.container" -}}
image: {{ include "watchdog.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
envFrom:
  - secretRef: {name: {{ .Values.existingSecret | quote }} }
  - configMapRef: {name: {{ printf "%s-settings" .Release.Name | quote }} }
volumeMounts:
  - {name: tmp, mountPath: /tmp}
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
