// The script of a report page: reads the embedded data and shows it.

import type { ReportData } from './data.ts';
import { mountReport } from './view.browser.ts';

const text = document.getElementById('data')?.textContent ?? '';
const root = document.getElementById('report');
if (root !== null) mountReport(root, JSON.parse(text) as ReportData);
