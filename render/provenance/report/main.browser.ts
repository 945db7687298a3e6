// What runs in the page of a report: it reads the data that is in the page, and draws it.

import type { ReportData } from './data.ts';
import { mountReport } from './view.browser.ts';

const text = document.getElementById('data')?.textContent ?? '';
const root = document.getElementById('report');
if (root !== null) mountReport(root, JSON.parse(text) as ReportData);
