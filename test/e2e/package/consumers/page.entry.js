// Bundled for the browser, then run.

import { loadChart, template } from 'drydock';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 1.0.0\n',
  'values.yaml': 'a: 1\n',
  'templates/a.yaml': 'b: {{ .Values.a | add 1 }}\n',
};
const encoder = new TextEncoder();
console.log(template(loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])))));
