/** The part of the system that programs need, read-only; and home, temporary files and devices, which are the program's own. */
import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { type Mount, readOnly } from './mounts.ts';
import { toolchainPaths } from './toolchains.ts';
import { homeOf, isWithin, realPath, type View } from './view.ts';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/**
 * Of /etc what no secret is in. Each mount costs every command a quarter of a millisecond, so it is no more than what
 * programs do not do without: libraries and alternatives, names of users, the time zone. Java keeps a part of itself there.
 */
const OF_ETC =
  /^(ld\.so\.cache|alternatives|group|hosts|java-.*|localtime|nsswitch\.conf|os-release|passwd)$/;

/** Beside certificates lie private keys. */
const FOR_NETWORK = [
  'resolv.conf gai.conf services protocols ca-certificates crypto-policies ssl/certs ssl/cert.pem',
  'pki/ca-trust pki/tls/certs',
].flatMap((line) => line.split(' ').map((name) => `/etc/${name}`));

export function systemMounts(view: View): Mount[] {
  const etc = readdirSync('/etc').filter((name) => OF_ETC.test(name));
  const named = [...etc.map((name) => `/etc/${name}`), '/etc/ssl/openssl.cnf'];
  const system = [...SYSTEM, ...named, ...(view.network ? FOR_NETWORK : [])].flatMap(asItIs);
  const home = homeOf(view);
  const isInSystem = (file: string) => system.some(({ at }) => isWithin(at, file));
  return [
    ...system,
    ...toolchainPaths(view)
      .filter((file) => !isInSystem(file))
      .flatMap(resolved),
    { is: 'proc', at: '/proc' },
    { is: 'devices', at: '/dev' },
    { is: 'private', at: '/tmp' },
    { is: 'link', at: '/var/tmp', target: '../tmp' },
    // A home within the system, as services have it, shows nothing that the system does not show.
    ...(home === '/' || isInSystem(home) ? [] : [{ is: 'private', at: home } as const]),
  ];
}

/** A link within the system stays a link: /bin leads to usr/bin, and the name of the time zone is where a link leads. */
function asItIs(at: string): Mount[] {
  if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return resolved(at);
  return realPath(at)?.startsWith('/usr/') ? [{ is: 'link', at, target: readlinkSync(at) }] : resolved(at);
}

/** What a path leads to, at that path. Nothing where there is nothing, nor for what is neither file nor folder. */
function resolved(at: string): Mount[] {
  const real = realPath(at);
  if (real === undefined) return [];
  const found = statSync(real, { throwIfNoEntry: false });
  return found?.isFile() || found?.isDirectory() ? [{ ...readOnly(at), from: real } as Mount] : [];
}
