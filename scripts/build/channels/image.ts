// Builds the container image as an OCI layout: `npm run build -- image` writes build/image, tagged with the version. It needs no container
// engine and no base image: the C libraries, BusyBox, Git and certificates come from Debian by mmdebstrap, and umoci writes the layers. Run it as root.

import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { nodeFolder } from '../../dev/tools/node-binary.ts';
import { temporaryFolder } from '../../dev/tools/tools.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// Git is used by `--changed`, `--against` and `diff`, the shell by GitLab and other CI systems.
const packages = ['base-files', 'ca-certificates', 'libstdc++6', 'busybox-static', 'git'];
// Programs that git recommends and that are not used here.
const leftOut = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/perl',
  'usr/lib/x86_64-linux-gnu/perl',
];

/** Builds the image from the folder of an installed package into an OCI layout, and returns its reference for umoci and skopeo. */
export async function buildImage(packageFolder: string, layout: string): Promise<string> {
  const work = temporaryFolder('drydock-image-');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const image = `${layout}:${version}`;
  await rm(layout, { recursive: true, force: true });
  await execa('umoci', ['init', '--layout', layout]);
  await execa('umoci', ['new', '--image', image]);
  // Two layers, so that only the upper one changes with a release.
  await writeSystem(join(work, 'system'));
  await execa('umoci', ['insert', '--image', image, join(work, 'system'), '/']);
  await writeProgram(packageFolder, join(work, 'program'));
  await execa('umoci', ['insert', '--image', image, join(work, 'program'), '/']);
  const config = ['--config.entrypoint', 'drydock', '--config.user', '1000:1000', '--config.workingdir', '/work'];
  const env = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/home/drydock'].flatMap((text) => ['--config.env', text]);
  await execa('umoci', ['config', '--image', image, ...config, ...env]);
  await execa('umoci', ['gc', '--layout', layout]);
  return image;
}

async function writeSystem(folder: string): Promise<void> {
  const flags = ['--quiet', '--variant=extract', `--include=${packages.join(',')}`];
  await execa('mmdebstrap', [...flags, 'bookworm', folder], { stderr: 'inherit' });
  for (const path of leftOut) await rm(join(folder, path), { recursive: true, force: true });
  // What the install scripts of the packages would have done.
  const authorities = join(folder, 'usr/share/ca-certificates/mozilla');
  const certificates = await Promise.all(
    (await readdir(authorities)).sort().map((name) => readFile(join(authorities, name))),
  );
  await writeFile(join(folder, 'etc/ssl/certs/ca-certificates.crt'), Buffer.concat(certificates));
  const { stdout } = await execa(join(folder, 'bin/busybox'), ['--list']);
  const present = new Set([...(await readdir(join(folder, 'bin'))), ...(await readdir(join(folder, 'usr/bin')))]);
  for (const name of stdout.split('\n')) if (!present.has(name)) await symlink('busybox', join(folder, 'bin', name));
  await writeFile(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\ndrydock:x:1000:1000::/home/drydock:/bin/sh\n',
  );
  await writeFile(join(folder, 'etc/group'), 'root:x:0:\ndrydock:x:1000:\n');
  // Programs name their interpreter by this path.
  await symlink('/bin/busybox', join(folder, 'usr/bin/env'));
  // A mounted checkout belongs to another user.
  await writeFile(join(folder, 'etc/gitconfig'), '[safe]\n\tdirectory = *\n');
  for (const name of ['home/drydock', 'work']) await mkdir(join(folder, name), { recursive: true });
  await execa('chown', ['1000:1000', join(folder, 'home/drydock'), join(folder, 'work')]);
}

async function writeProgram(packageFolder: string, folder: string): Promise<void> {
  const bin = join(folder, 'usr/local/bin');
  await mkdir(bin, { recursive: true });
  await cp(join(await nodeFolder('24'), 'node'), join(bin, 'node'));
  await chmod(join(bin, 'node'), 0o755);
  for (const name of ['dist', 'fixtures/charts', 'fixtures/orders', 'fixtures/seed', 'package.json', 'LICENSE']) {
    await cp(join(packageFolder, name), join(folder, 'opt/drydock', name), { recursive: true });
  }
  await symlink('/opt/drydock/dist/drydock.cjs', join(bin, 'drydock'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildImage(root, join(root, 'build/image')));
