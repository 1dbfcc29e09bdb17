import { readFileSync } from 'node:fs';

const LOOK_MS = 250;

/**
 * Counts what was sent to addresses without a route. The kernel counts this for each network namespace, for TCP and UDP
 * and for every program: no program can hide it.
 */
export function countUnreachable(tell: (total: number) => void): { readonly look: () => void } {
  const before = readCount();
  let told = 0;
  const look = () => {
    const total = readCount() - before;
    if (total > told) tell(total);
    told = total;
  };
  setInterval(look, LOOK_MS).unref();
  return { look };
}

function readCount(): number {
  return ipv4() + ipv6();
}

/** Reads the IPv4 count. The file has two lines per protocol: names, then numbers. */
function ipv4(): number {
  const [names = [], numbers = []] = read('/proc/net/snmp')
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
    .map((line) => line.split(' '));
  return Number(numbers[names.indexOf('OutNoRoutes')] ?? 0);
}

/** Reads the IPv6 count. The file has a name and a number per line, and is missing if IPv6 is off. */
function ipv6(): number {
  return Number(/^Ip6OutNoRoutes\s+(\d+)/m.exec(read('/proc/net/snmp6'))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The kernel does not have this protocol.
    return '';
  }
}
