// The programs of the console in Firefox. `npm run test:e2e -- console-firefox`
// Of what they do, its driver cannot drag, take a download or switch to dark colors.

process.env.DRYDOCK_BROWSER = 'firefox';
for (const name of ['writing', 'typing', 'insights', 'comparing', 'hostile', 'console']) {
  console.log(`== ${name}`);
  await import(`./${name}.ts`);
}

export {};
