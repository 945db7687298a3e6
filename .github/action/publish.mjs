// Publishes the reports of `drydock snapshot` from a job on GitHub: in the job's summary, as one comment on the pull request that later
// runs replace, and in code scanning. What GitHub refuses, such as a comment by the job of a fork, is a warning.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const { env } = process;
const folder = process.argv[2];
const marker = '<!-- drydock -->';

async function call(method, path, body) {
  const answer = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.TOKEN}`,
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
}

async function attempt(what, publish) {
  try {
    await publish();
  } catch (error) {
    console.log(`::warning::${what} failed: ${String(error.message).replaceAll('\n', ' ')}`);
  }
}

async function findComment(number) {
  for (let page = 1; ; page++) {
    const comments = await call('GET', `/issues/${number}/comments?per_page=100&page=${page}`);
    const own = comments.find(({ body }) => body?.startsWith(marker));
    if (own !== undefined || comments.length < 100) return own;
  }
}

async function comment(number, report) {
  const body = `${marker}\n${report}`;
  const own = await findComment(number);
  if (own !== undefined) await call('PATCH', `/issues/comments/${own.id}`, { body });
  else await call('POST', `/issues/${number}/comments`, { body });
}

async function upload(sarif) {
  const content = { commit_sha: env.GITHUB_SHA, ref: env.GITHUB_REF, sarif: gzipSync(sarif).toString('base64') };
  await call('POST', '/code-scanning/sarifs', content);
}

const event = existsSync(env.GITHUB_EVENT_PATH ?? '') ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {};
const number = event.pull_request?.number;
const [report, sarif] = ['report.md', 'report.sarif'].map((name) => join(folder, name));
if (existsSync(report)) {
  const text = readFileSync(report, 'utf8');
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text);
  if (env.COMMENT === 'true' && number !== undefined) await attempt('The comment', () => comment(number, text));
}
if (env.SARIF === 'true' && existsSync(sarif)) await attempt('The upload', () => upload(readFileSync(sarif)));
