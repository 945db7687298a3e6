// The images of charts and Orders on disk.

import { listChartImages, listImages } from '../api/cases.ts';
import { renderOrder } from '../api/order.ts';
import type { ImageReference, ImageUse } from '../cases/images.ts';
import type { CaseSettings } from '../cases/search.ts';
import { checkArguments, optionsOf, wholeNumber } from '../core/arguments.ts';
import { readCaseOptions } from './cases.node.ts';
import { readInput } from './input.node.ts';
import { inputArgument } from './input-argument.node.ts';
import type { OrderInput } from './orders.node.ts';
import { type RunOptions, runChecks, runContext } from './run-options.node.ts';

/** Options of `listInputImages`. */
export interface InputImagesOptions extends RunOptions {
  /** For a chart: maximum time of the search in seconds; the result then depends on the machine. Default: no limit. */
  readonly maxSeconds?: number | undefined;
}

/** An image of a chart or an Order. */
export interface InputImage extends ImageReference {
  /** For an Order: the release of the package. */
  readonly package?: string;
  /** For a chart: the settings with which it uses the image. */
  readonly when?: CaseSettings;
  readonly uses: readonly ImageUse[];
}

const imagesOptions = optionsOf<InputImagesOptions>({ ...runChecks, maxSeconds: wholeNumber(1) });

/**
 * Returns every image that a chart can use, as `listChartImages` does, or that an Order uses, as `listImages` does. The input is given by
 * its path. Rejects with UsageError, with RenderError if the input does not render, with ARGUMENT_INVALID.
 * @example
 * const references = (await listInputImages('order.yaml')).map(({ reference }) => reference);
 */
export async function listInputImages(
  input: string | OrderInput,
  options: InputImagesOptions = {},
): Promise<readonly InputImage[]> {
  checkArguments('listInputImages', ['input', input, inputArgument], ['options', options, imagesOptions]);
  const { maxSeconds, ...run } = options;
  const context = runContext(run);
  const found = await readInput(input, context);
  if (typeof found !== 'string') return listImages(await renderOrder(found.text.value, found.options));
  const { settings, io } = context;
  const { chart, options: search } = await readCaseOptions(found, settings, io);
  return listChartImages(chart, { ...search, maxSeconds });
}
