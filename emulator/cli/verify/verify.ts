// A real deployment beside the emulator: the same tour through both, and what their answers have in common. No value of an answer is
// kept, only its shape.

import { markFailures, messageOf } from '../../../render/core/errors.ts';
import { createEmulator } from '../../emulator.ts';
import type { Json } from '../../store/json.ts';
import { compareShapes, type Difference, shapeOf } from './shape.ts';
import { type Known, readingSteps, type Step, writingSteps } from './tour.ts';

/** What is compared with the emulator. */
export interface VerifyOptions {
  /** The address of the deployment, without `/api/v1`. */
  readonly against: string;
  readonly token: string;
  /** Also takes the steps that change something and take it back. */
  readonly write: boolean;
}

/** What came of one step. */
export interface StepResult {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Why it was not taken; nothing was asked of the deployment then. */
  readonly skipped?: string;
  readonly differences: readonly Difference[];
  readonly milliseconds: number;
}

/** What came of a tour. */
export interface VerifyResult {
  readonly against: string;
  readonly steps: readonly StepResult[];
}

/** What is thrown when the deployment does not answer. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
}

markFailures(VerifyError, 'mendable');

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json | undefined;
}

interface Side {
  readonly known: Known;
  ask(path: string, init: RequestInit): Promise<Response>;
  readonly token: string;
}

// Headers of which it matters whether they are there.
const telling = ['link', 'x-total-count', 'location', 'set-cookie', 'www-authenticate'];

/** Takes the tour. Throws a `VerifyError` when the deployment does not answer, or knows nobody by the token. */
export async function verify({ against, token, write }: VerifyOptions): Promise<VerifyResult> {
  const base = `${against.replace(/(?<!\/)\/+$/, '')}/api/v1`;
  const real: Side = {
    known: new Map(),
    token,
    ask: (path, init) =>
      fetch(base + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(30_000) }).catch(
        (failure: Error) => {
          throw new VerifyError(`${against} did not answer: ${messageOf(failure.cause ?? failure)}`);
        },
      ),
  };
  const me = await readAnswer(await real.ask('/user', { headers: { Authorization: `token ${token}` } }));
  if (me.status !== 200)
    throw new VerifyError(`${against} answered ${me.status} to GET /user: give a token that is good`);
  const emulated = emulatedSide((me.json as { readonly is_admin?: boolean }).is_admin === true);
  const steps: StepResult[] = [];
  for (const step of write ? [...readingSteps, ...writingSteps] : readingSteps)
    steps.push(await take(step, real, emulated));
  return { against, steps };
}

// Somebody with the same rights, who has something of everything.
function emulatedSide(isAdmin: boolean): Side {
  const emulator = createEmulator({ control: false });
  const person = emulator.users().find(({ login }) => login === (isAdmin ? 'ada' : 'bob'));
  return {
    known: new Map(),
    token: person?.token ?? '',
    ask: (path, init) => emulator.fetch(`/api/v1${path}`, init),
  };
}

async function take(step: Step, real: Side, emulated: Side): Promise<StepResult> {
  const { name, method, path } = step;
  const result = { name, method, path, differences: [], milliseconds: 0 };
  const paths = [real, emulated].map((side) => fill(path, side.known));
  if (paths.includes(undefined)) return { ...result, skipped: 'one of the two has nothing to ask for' };
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

async function send({ method, anonymous, body, learn }: Step, side: Side, path: string): Promise<Answer> {
  const headers = {
    Accept: 'application/json',
    ...(anonymous ? {} : { Authorization: `token ${side.token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const answer = await readAnswer(
    await side.ask(path, { method, headers, ...(body && { body: JSON.stringify(body(side.known)) }) }),
  );
  if (answer.status === 200 && answer.json !== undefined) learn?.(answer.json, side.known);
  return answer;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: Json | undefined;
  try {
    json = text === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, json };
}

function compare(there: Answer, here: Answer, free: ReadonlySet<string>): readonly Difference[] {
  if (there.status !== here.status) {
    return [{ path: 'status', message: `is ${there.status} there, ${here.status} in the emulator` }];
  }
  const differences: Difference[] = [];
  const [type, ownType] = [mediaType(there), mediaType(here)];
  if (type !== ownType) {
    differences.push({
      path: 'headers.content-type',
      message: `is ${type || 'missing'} there, ${ownType || 'missing'} in the emulator`,
    });
  }
  for (const name of telling) {
    const [has, hasHere] = [there.headers.has(name), here.headers.has(name)];
    if (has === hasHere) continue;
    const message = has ? 'is there, and not in the emulator' : 'is in the emulator, and not there';
    differences.push({ path: `headers.${name}`, message });
  }
  if ((there.json === undefined) !== (here.json === undefined)) {
    const [one, other] = [there, here].map(({ json }) => (json === undefined ? 'no JSON' : 'JSON'));
    differences.push({ path: 'body', message: `is ${one} there, ${other} in the emulator` });
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
