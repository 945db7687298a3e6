// Sends the same requests to a real deployment and to the emulator, and compares the responses. Values are never kept, only shapes.

import { markFailures, messageOf } from '../../../render/core/errors.ts';
import type { JsonValue } from '../../../render/index.ts';
import { createEmulator } from '../../index.ts';
import { compareShapes, type ShapeDifference, shapeOf } from './shape.ts';
import { type Known, readingSteps, type TourStep, writingSteps } from './tour.ts';

export interface VerifyOptions {
  /** Base URL of the deployment, without `/api/v1`. */
  readonly against: string;
  readonly token: string;
  /** Also runs the steps that make changes and revert them. */
  readonly write: boolean;
}

export interface StepResult {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Why the step was skipped; no request was sent then. */
  readonly skipped?: string;
  readonly differences: readonly ShapeDifference[];
  readonly milliseconds: number;
}

export interface VerifyResult {
  readonly against: string;
  readonly steps: readonly StepResult[];
}

/** Thrown when the deployment cannot be reached or rejects the token. */
class VerifyError extends Error {
  override readonly name = 'VerifyError';
}

markFailures(VerifyError, 'user');

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonValue | undefined;
}

interface Side {
  readonly known: Known;
  ask(path: string, init: RequestInit): Promise<Answer>;
  readonly token: string;
}

// Headers whose presence is compared.
const comparedHeaders = ['link', 'x-total-count', 'location', 'set-cookie', 'www-authenticate'];

/** Runs all steps. Throws a `VerifyError` if the deployment cannot be reached or rejects the token. */
export async function verify({ against, token, write }: VerifyOptions): Promise<VerifyResult> {
  const base = `${against.replace(/(?<!\/)\/+$/, '')}/api/v1`;
  const real: Side = {
    known: new Map(),
    token,
    ask: (path, init) =>
      fetch(base + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(30_000) })
        .then(readAnswer)
        .catch((failure: Error) => {
          throw new VerifyError(`${against} did not answer: ${messageOf(failure.cause ?? failure)}`);
        }),
  };
  const me = await real.ask('/user', { headers: { Authorization: `token ${token}` } });
  if (me.status !== 200) throw new VerifyError(`GET /user of ${against} returned ${me.status}: use a valid token`);
  if (typeof me.json !== 'object' || me.json === null)
    throw new VerifyError(`GET /user of ${against} returned no JSON object: use the URL in front of /api/v1`);
  const emulated = emulatedSide((me.json as { readonly is_admin?: boolean }).is_admin === true);
  const steps: StepResult[] = [];
  for (const step of write ? [...readingSteps, ...writingSteps] : readingSteps)
    steps.push(await take(step, real, emulated));
  return { against, steps };
}

// A person with the same permissions and with data for every step.
function emulatedSide(isAdmin: boolean): Side {
  const emulator = createEmulator({ control: false });
  const person = emulator.users().find(({ login }) => login === (isAdmin ? 'ada' : 'bob'));
  return {
    known: new Map(),
    token: person?.token ?? '',
    ask: (path, init) => emulator.fetch(`/api/v1${path}`, init).then(readAnswer),
  };
}

async function take(step: TourStep, real: Side, emulated: Side): Promise<StepResult> {
  const { name, method, path } = step;
  const result = { name, method, path, differences: [], milliseconds: 0 };
  const paths = [real, emulated].map((side) => fill(path, side.known));
  if (paths.includes(undefined)) return { ...result, skipped: 'no data for this request' };
  const started = performance.now();
  const [there, here] = await Promise.all([send(step, real, paths[0]!), send(step, emulated, paths[1]!)]);
  const milliseconds = Math.round(performance.now() - started);
  return { ...result, differences: compare(there, here, new Set(step.free)), milliseconds };
}

function fill(path: string, known: Known): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => !known.has(name))) return undefined;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? ''));
}

async function send(step: TourStep, side: Side, path: string): Promise<Answer> {
  const { method, anonymous, learn = {} } = step;
  const body = typeof step.body === 'function' ? step.body(side.known) : step.body;
  const headers = {
    Accept: 'application/json',
    ...(anonymous ? {} : { Authorization: `token ${side.token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await side.ask(path, sent);
  const items = answer.status === 200 ? [answer.json].flat() : [];
  const [first] = items as readonly (Readonly<Record<string, JsonValue>> | undefined)[];
  for (const [name, member] of Object.entries(learn)) {
    const value = first?.[member];
    if (typeof value === 'string' && value !== '') side.known.set(name, value);
  }
  return answer;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: JsonValue | undefined;
  try {
    json = text === '' ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, json };
}

function compare(there: Answer, here: Answer, free: ReadonlySet<string>): readonly ShapeDifference[] {
  if (there.status !== here.status) {
    return [{ path: 'status', message: `is ${there.status} in the deployment, ${here.status} in the emulator` }];
  }
  const differences: ShapeDifference[] = [];
  const [type, ownType] = [mediaType(there), mediaType(here)];
  if (type !== ownType) {
    differences.push({
      path: 'headers.content-type',
      message: `is ${type || 'missing'} in the deployment, ${ownType || 'missing'} in the emulator`,
    });
  }
  for (const name of comparedHeaders) {
    const [has, hasHere] = [there.headers.has(name), here.headers.has(name)];
    if (has === hasHere) continue;
    const message = has ? 'is missing in the emulator' : 'is missing in the deployment';
    differences.push({ path: `headers.${name}`, message });
  }
  if ((there.json === undefined) !== (here.json === undefined)) {
    const [one, other] = [there, here].map(({ json }) => (json === undefined ? 'no JSON' : 'JSON'));
    differences.push({ path: 'body', message: `is ${one} in the deployment, ${other} in the emulator` });
  } else if (there.json !== undefined && here.json !== undefined) {
    const shapes = compareShapes(shapeOf(there.json), shapeOf(here.json), free);
    differences.push(
      ...shapes.map(({ path, message }) => ({
        path: `body${path.startsWith('[') || path === '' ? '' : '.'}${path}`,
        message,
      })),
    );
  }
  return differences;
}

function mediaType({ headers }: Answer): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}
