import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '#lib/client-address.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

/** There are thousands of them, so each is small. */
type Connection = {
  socket: Socket;
  group: Group;
  /** Requests under way; more than one when they are pipelined. */
  requests: number;
  /** The latest one. */
  message: IncomingMessage | null;
  /** Whole milliseconds, which take no memory of their own. */
  idleSince: number;
};

/** The connections of one client address, each set oldest first. */
type Group = { address: string; idle: Set<Connection>; busy: Set<Connection> };

/** Connections above the bound that the server accepts while closed ones go away. */
const CLOSING_MAX = 1_000;

/**
 * Every open connection, by the client's address. A new one always gets in: beyond the bound another is closed for it,
 * idle ones first. An address that holds more than half of the bound pays before all others.
 */
export class ConnectionTable {
  readonly #connectionsMax: number;
  readonly #connections = new Map<Socket, Connection>();
  readonly #groups = new Map<string, Group>();
  readonly #onClosed: () => void;
  /** One for all of them. */
  readonly #onSocketClosed: (this: Socket) => void;

  constructor(connectionsMax: number, onClosed: () => void = () => {}) {
    this.#connectionsMax = connectionsMax;
    this.#onClosed = onClosed;
    const closed = (socket: Socket) => {
      const connection = this.#connections.get(socket);
      if (connection) this.#remove(connection);
    };
    this.#onSocketClosed = function onSocketClosed() {
      closed(this);
    };
  }

  get size(): number {
    return this.#connections.size;
  }

  attach(server: Server): void {
    server.maxConnections = this.#connectionsMax + CLOSING_MAX;
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** Notes that a request has begun; `clientIp` is known only now when a proxy holds the connection. */
  begin(message: IncomingMessage, response: ServerResponse, clientIp: string | null): void {
    const connection = this.#connections.get(message.socket);
    if (!connection) return;
    this.#leave(connection);
    connection.group = this.#findGroup(addressGroup(clientIp));
    connection.requests += 1;
    connection.message = message;
    this.#enter(connection);
    response.once('close', () => {
      if (!this.#connections.has(connection.socket)) return;
      this.#leave(connection);
      connection.requests -= 1;
      if (connection.requests === 0) {
        connection.message = null;
        connection.idleSince = wholeMs();
      }
      this.#enter(connection);
    });
  }

  #add(socket: Socket): void {
    while (this.#connections.size >= this.#connectionsMax) this.#closeOne();
    const connection: Connection = {
      socket,
      group: this.#findGroup(addressGroup(socket.remoteAddress ?? null)),
      requests: 0,
      message: null,
      idleSince: wholeMs(),
    };
    this.#connections.set(socket, connection);
    this.#enter(connection);
    socket.on('close', this.#onSocketClosed);
  }

  #closeOne(): void {
    const victim = this.#findVictim();
    if (!victim) return;
    this.#remove(victim);
    victim.socket.destroy();
    this.#onClosed();
  }

  #findVictim(): Connection | null {
    let largest: Group | null = null;
    let largestIdle: Group | null = null;
    for (const group of this.#groups.values()) {
      if (sizeOf(group) > sizeOf(largest)) largest = group;
      if (group.idle.size > 0 && sizeOf(group) > sizeOf(largestIdle)) largestIdle = group;
    }
    const isGreedy = sizeOf(largest) > this.#connectionsMax / 2;
    const group = isGreedy ? largest : (largestIdle ?? largest);
    return group && this.#findVictimOf(group);
  }

  #findVictimOf({ idle, busy }: Group): Connection | null {
    const [oldestIdle = null] = idle;
    if (oldestIdle && wholeMs() - oldestIdle.idleSince > REQUEST_BOUNDS.idleGraceMs) return oldestIdle;
    for (const connection of busy) if (!connection.message?.complete) return connection;
    const [oldestBusy = null] = busy;
    return oldestIdle ?? oldestBusy;
  }

  #findGroup(address: string): Group {
    return this.#groups.get(address) ?? { address, idle: new Set(), busy: new Set() };
  }

  #enter(connection: Connection): void {
    const { group } = connection;
    (connection.requests > 0 ? group.busy : group.idle).add(connection);
    this.#groups.set(group.address, group);
  }

  #leave(connection: Connection): void {
    const { group } = connection;
    group.idle.delete(connection);
    group.busy.delete(connection);
    if (sizeOf(group) === 0) this.#groups.delete(group.address);
  }

  #remove(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#leave(connection);
  }
}

const wholeMs = (): number => Math.floor(performance.now());

const sizeOf = (group: Group | null): number => (group ? group.idle.size + group.busy.size : 0);
