// The outline of the site: every page once, in reading order. `npm run docs -- reference` generates the reference pages.

/** A part of the site: its title and its pages (paths from the repository's root). */
export interface Part {
  readonly title: string;
  readonly pages: readonly string[];
}

/** The parts in reading order. */
export const outline: readonly Part[] = [
  {
    title: 'Get started',
    pages: ['README.md', 'emulator/docs/start-front-end.md', 'render/docs/start-ci.md', 'emulator/docs/start-demo.md'],
  },
  {
    title: 'Rendering',
    pages: [
      'render/docs/charts.md',
      'render/docs/vendoring.md',
      'render/docs/orders.md',
      'render/docs/scripts.md',
      'render/docs/order-reference.md',
      'render/docs/import-export.md',
      'render/docs/diff.md',
      'render/docs/snapshots.md',
      'render/docs/coverage.md',
      'render/docs/cases.md',
      'render/docs/values.md',
      'render/docs/images.md',
      'render/docs/schema.md',
      'render/docs/upgrade.md',
      'render/docs/unittest.md',
      'render/docs/testing.md',
      'render/docs/validation.md',
      'render/docs/explain.md',
      'render/docs/editors.md',
      'render/docs/library.md',
      'render/docs/errors.md',
      'render/docs/compatibility.md',
    ],
  },
  {
    title: 'Integrations',
    pages: [
      'render/docs/github-actions.md',
      'render/docs/gitlab.md',
      'render/docs/pre-commit.md',
      'render/docs/helm-plugin.md',
      'render/docs/executable.md',
    ],
  },
  {
    title: 'Command line',
    pages: ['emulator/docs/command.md', 'emulator/docs/command-reference.md'],
  },
  {
    title: 'Emulator',
    pages: [
      'emulator/docs/README.md',
      'emulator/docs/console.md',
      'emulator/docs/people.md',
      'emulator/docs/sign-in.md',
      'emulator/docs/fixtures.md',
      'emulator/docs/test-data.md',
      'emulator/docs/own-routes.md',
      'emulator/docs/server.md',
      'emulator/docs/worlds.md',
      'emulator/docs/faults.md',
      'emulator/docs/clock.md',
      'emulator/docs/scenarios.md',
      'emulator/docs/request-log.md',
      'emulator/docs/testing.md',
      'emulator/docs/client.md',
      'emulator/docs/api-coverage.md',
      'emulator/docs/verify.md',
      'emulator/docs/pages.md',
      'emulator/docs/demo-saas.md',
      'emulator/docs/demo-onboarding.md',
      'emulator/docs/container.md',
      'emulator/docs/nats.md',
      'emulator/docs/control.md',
      'emulator/docs/routes.md',
    ],
  },
  {
    title: 'Examples',
    pages: [
      'fixtures/examples/vitest/README.md',
      'fixtures/examples/vitest-worlds/README.md',
      'fixtures/examples/vitest-jsdom/README.md',
      'fixtures/examples/jest-jsdom/README.md',
      'fixtures/examples/node-test/README.md',
      'fixtures/examples/playwright/README.md',
      'fixtures/examples/playwright-worlds/README.md',
      'fixtures/examples/react/README.md',
      'fixtures/examples/storybook/README.md',
      'fixtures/examples/chart-repository/README.md',
      'fixtures/examples/chart-repository/pull-request/comment.md',
      'fixtures/examples/node-script/README.md',
    ],
  },
  {
    title: 'Project',
    pages: [
      'scripts/docs/how-it-is-built.md',
      'scripts/docs/dependencies.md',
      'scripts/docs/decisions.md',
      'test/README.md',
      'scripts/docs/test-results.md',
      'scripts/docs/reference.md',
      'scripts/docs/speed.md',
      'fixtures/README.md',
      'fixtures/vectors/README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
];
