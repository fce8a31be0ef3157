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
