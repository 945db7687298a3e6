// How Orders are read by the `yaml` package: as Kubernetes reads them.

import type { DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';

/** YAML 1.1, whose faults are told by syntax.ts. Dates and binary stay text: JSON has neither. */
export const readOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  prettyErrors: false,
  // findFault sees them.
  uniqueKeys: false,
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|set|omap|pairs/.test(String(tag.tag))),
};
