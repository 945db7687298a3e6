// Runs the tests of the console in Firefox. `npm run test:e2e -- console-firefox`
// Its driver cannot drag, download or switch to dark colors; those parts are left out.

process.env.DRYDOCK_BROWSER = 'firefox';
for (const name of ['writing', 'typing', 'insights', 'comparing', 'hostile', 'console']) {
  console.log(`== ${name}`);
  await import(`./${name}.ts`);
}

export {};
