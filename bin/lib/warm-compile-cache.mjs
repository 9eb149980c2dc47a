// Run by the build with NODE_COMPILE_CACHE set: what is imported here is kept when the process ends.
const SOURCES = [
  'serve',
  'run-role',
  'prepare',
  'start-edge',
  'start-digest',
  'start-jobs',
  'start-web',
  'connect-cli',
];

for (const name of SOURCES) await import(`../../src/main/${name}.ts`);
await import('../../src/cli/run-cli.ts');
// Would say how it is used, and ends the process.
process.argv[2] = 'help';
process.stdout.write = () => true;
void import('../../src/main.ts');
