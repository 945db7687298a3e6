// What can be made of any size, and the charts that it stands in.

/** A command line over the files of a folder, which holds a chart in `c`. */
export interface Grown {
  readonly files: Readonly<Record<string, string>>;
  /** What stands behind `template r ./c`. */
  readonly args?: readonly string[];
}

/** Something that can be made of any size. */
export interface GrowthCase {
  readonly name: string;
  /** The size that is compared with Helm's time; a quarter and a half of it show how the time grows. */
  readonly size: number;
  make(size: number): Grown;
}

/** A plain Chart.yaml. */
export const chartFile = 'apiVersion: v2\nname: c\nversion: 0.1.0\n';

/** Returns a chart of these files; one whose name begins with `/` stands beside it. */
export function chart(files: Readonly<Record<string, string>>, args: readonly string[] = []): Grown {
  const named = Object.entries(files).map(([name, text]) => [name.startsWith('/') ? name.slice(1) : `c/${name}`, text]);
  return { files: { 'c/Chart.yaml': chartFile, ...Object.fromEntries(named) }, args };
}

/** Returns a chart of one template. */
export const template = (text: string): Grown => chart({ 'templates/a.yaml': text });
/** Returns a chart of these values. */
export const values = (text: string): Grown =>
  chart({ 'values.yaml': text, 'templates/a.yaml': 'a: {{ .Values | toJson | len }}\n' });

// Each kind of argument at its largest, as what is declared before and what stands in the call.
/** Returns as many lines as wanted, each made from its number. */
export const lines = (n: number, line: (index: number) => string): string =>
  Array.from({ length: n }, (_, i) => line(i)).join('');
