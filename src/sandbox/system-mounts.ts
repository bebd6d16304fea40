/** The part of the system that programs need, read-only; and home, temporary files and devices, which are the program's own. */
import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { type Mount, readOnly } from './mounts.ts';
import { toolchainPaths } from './toolchains.ts';
import { homeOf, isWithin, realPath, type View } from './view.ts';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Of /etc what no secret is in: how libraries, names, times and certificates are found. Java keeps a part of itself there. */
const OF_ETC =
  /^(ld\.so\..*|alternatives|ca-certificates|crypto-policies|fonts|group|hosts|java-.*|localtime|mime\.types|nsswitch\.conf|os-release|passwd|protocols|services|timezone)$/;
/** Beside these lie private keys. */
const CERTIFICATES = [
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
];

export function systemMounts(view: View): Mount[] {
  const etc = readdirSync('/etc').filter((name) => OF_ETC.test(name));
  const system = [...SYSTEM, ...etc.map((name) => `/etc/${name}`), ...CERTIFICATES].flatMap(asItIs);
  const home = homeOf(view);
  const isInSystem = (file: string) => system.some(({ at }) => isWithin(at, file));
  return [
    ...system,
    ...(view.network ? ['/etc/resolv.conf', '/etc/gai.conf'].flatMap(resolved) : []),
    ...toolchainPaths(view)
      .filter((file) => !isInSystem(file))
      .flatMap(resolved),
    { is: 'proc', at: '/proc' },
    { is: 'devices', at: '/dev' },
    { is: 'private', at: '/tmp' },
    { is: 'private', at: '/var/tmp' },
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
