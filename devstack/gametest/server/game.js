'use strict'

// The game's side of the protocol: accounts, rooms and the players in them. It
// checks what a host sends field by field, and misbehaves where a test asks for it.

const crypto = require('node:crypto')

const VERSION = 49

const got = { ping: 1, teamLock: 7, remove: 9, chat: 10, settings: 11, create: 12, join: 13, timesync: 18, endOnHost: 50, password: 53 }
const sent = {
  ping: 1, created: 2, entered: 3, joined: 4, left: 5, hostLeft: 6, renamed: 12, status: 16, teamLock: 19, chat: 20, settings: 21,
  timesync: 23, removed: 24, hostChanged: 41, shareLink: 49,
}

const token = (length) => crypto.randomBytes(length).toString('hex')

class Game {
  constructor() {
    this.address = ''
    this.accounts = new Map() // name → {name, password, id, level, token}
    this.rooms = []
    this.players = []
    this.logins = 0
    this.serverQuestions = 0
    // What the tests change. Times are in milliseconds.
    this.settings = {
      loginFails: '', // the reason for which every login is refused
      loginStatus: 200,
      loginToken: '', // the token that a login gives, instead of a random one
      createFails: '', // the reason for which every room is refused
      strayStatuses: [], // sent between "created" and the link
      linkDelay: 0,
      stepDelay: 0, // how late every answer is
      tokenUses: 0, // the number of rooms that a token is good for, 0 for any number
      chatLost: 0, // the number of the host's next lines that are lost without a word
      lobbyLost: false, // the host's settings do not reach newcomers
      pageStatus: 200, // of a link's page
      createServer: '', // the server that getrooms.php names
      hostSeesItself: false, // the creator gets a join of its own
      silent: false, // pings are not answered
    }
  }

  account(name, { password = token(8), level = 1 } = {}) {
    const account = { name, password, level, id: 1000 + this.accounts.size, token: '', uses: 0 }
    this.accounts.set(name, account)
    return account
  }

  // login answers the form of a login.
  login(form) {
    this.logins++
    const account = this.accounts.get(form.get('username'))
    if (this.settings.loginFails) return { r: 'fail', e: this.settings.loginFails }
    if (form.get('remember') !== 'false') return { r: 'fail', e: 'invalid_options' }
    if (!account) return { r: 'fail', e: 'username_fail' }
    if (account.password !== form.get('password')) return { r: 'fail', e: 'password' }
    account.token = this.settings.loginToken || token(24)
    account.uses = 0
    return { r: 'success', token: account.token, username: account.name, id: account.id, friends: [], xp: 0 }
  }

  byToken(given) {
    return [...this.accounts.values()].find((a) => a.token !== '' && a.token === given)
  }

  // getRooms answers getrooms.php: where the game wants a room to be created.
  getRooms(form) {
    this.serverQuestions++
    if (form.get('version') !== String(VERSION) || form.get('gl') !== 'y' || form.get('token') !== '') return { r: 'fail' }
    return { r: 'success', createserver: this.settings.createServer, lat: 52.5, long: 13.4, country: 'DE', rooms: [] }
  }

  // late calls a function as late as every answer is at the moment.
  late(answer) {
    if (this.settings.stepDelay) setTimeout(answer, this.settings.stepDelay)
    else answer()
  }

  connected(socket) {
    if (this.settings.silent) mute(socket)
    socket.timesyncs = 0
    socket.on(got.create, (asked) => this.late(() => this.create(socket, asked)))
    socket.on(got.join, (asked) => this.late(() => this.join(socket, asked)))
    socket.on(got.timesync, (asked, acknowledge) => {
      socket.timesyncs++
      this.late(() => acknowledge && acknowledge({ id: asked.id, result: Date.now() }))
    })
  }

  create(socket, asked) {
    const refuse = (reason) => socket.emit(sent.status, reason)
    if (!wellFormed(asked)) return refuse('invalid_params')
    const account = this.byToken(asked.token)
    if (!account || account.id !== asked.dbid) return refuse('no_client_entry')
    if (this.settings.tokenUses && account.uses >= this.settings.tokenUses) {
      account.token = ''
      return refuse('no_client_entry')
    }
    if (this.settings.createFails) return refuse(this.settings.createFails)
    account.uses++
    const room = new Room(this, socket, asked, account)
    this.rooms.push(room)
    socket.emit(sent.created, room.address, 0)
    if (this.settings.hostSeesItself) socket.emit(sent.joined, 0, asked.peerID, account.name, false, account.level, true, asked.avatar)
    for (const status of this.settings.strayStatuses) socket.emit(sent.status, status)
    const linkDelay = this.settings.linkDelay + this.settings.stepDelay
    setTimeout(() => socket.emit(sent.shareLink, room.number, room.bypass), linkDelay)
  }

  join(socket, asked) {
    if (!socket.timesyncs) return socket.emit(sent.status, 'not_synchronised')
    const room = this.rooms.find((r) => r.address === asked.joinID && !r.over)
    if (!room) return socket.emit(sent.status, 'room_not_found')
    return room.enter(socket, asked, asked.guest ? null : this.byToken(asked.token))
  }

  // page is the page that a link opens. It holds the address of the link's room.
  page(path) {
    const room = this.rooms.find((r) => r.path.slice(0, 6) === path.slice(0, 6) && !r.over)
    const autojoin = room ? { r: 'success', address: room.address, bypass: path.slice(6) } : { r: 'fail' }
    return { status: this.settings.pageStatus, html: `<!doctype html><script id="autojoin">${JSON.stringify(autojoin)}</script>` }
  }
}

class Room {
  constructor(game, socket, asked, account) {
    this.game = game
    this.host = { id: 0, socket, name: account.name }
    this.asked = asked
    this.agent = socket.request.headers['user-agent']
    this.address = token(10)
    this.number = game.rooms.length + 17
    this.bypass = token(3)
    this.path = String(this.number).padStart(6, '0') + this.bypass
    this.inside = []
    this.newest = 0
    this.banned = new Set()
    this.over = false
    this.endsWithHost = false
    this.teamsLocked = false
    this.pings = [] // what the host has echoed
    this.beats = { ping: 0, pong: 0 }
    socket.conn.on('packet', ({ type }) => { if (type in this.beats) this.beats[type]++ })

    socket.on(got.endOnHost, () => { this.endsWithHost = true })
    socket.on(got.teamLock, (arg) => { this.teamsLocked = arg.teamLock; this.tell(sent.teamLock, arg.teamLock) })
    socket.on(got.password, (arg) => { this.asked.password = arg.newPass })
    socket.on(got.ping, (arg) => this.pings.push(arg.id))
    socket.on(got.chat, (arg) => this.say(this.host, arg.message))
    socket.on(got.remove, (arg) => this.remove(arg))
    socket.on(got.settings, (arg) => this.settle(arg))
    socket.on('disconnect', () => this.hostLeft())
    this.ping(1)
  }

  ping(id) {
    this.host.socket.emit(sent.ping, { 0: 105 }, id)
  }

  enter(socket, asked, account) {
    const refuse = (reason) => socket.emit(sent.status, reason)
    if (!asked.guest && !account) return refuse('no_client_entry')
    const name = account ? account.name : asked.guestName
    if (this.banned.has(name)) return refuse('banned')
    if (asked.bypass !== this.bypass && asked.roomPassword !== this.asked.password) return refuse('password_wrong')
    if (this.inside.length + 1 >= this.asked.maxPlayers) return refuse('room_full')

    const player = { id: ++this.newest, socket, name }
    socket.emit(sent.entered, player.id, 0, this.inside.map((p) => p.name), Date.now(), this.teamsLocked)
    this.inside.push(player)
    this.tellOthers(player, sent.joined, player.id, asked.peerID, name, !account, account ? account.level : 0, true, asked.avatar)
    socket.on(got.chat, (arg) => this.say(player, arg.message))
    socket.on('disconnect', () => this.left(player))
    return player
  }

  // settle passes the host's settings on to a newcomer. Here alone a map is an object; a host that
  // sends a map string is not one of the game's clients.
  settle({ sid, gs }) {
    if (gs === null || typeof gs !== 'object' || gs.map === null || typeof gs.map !== 'object') {
      this.host.socket.emit(sent.status, 'invalid_params')
      this.host.socket.disconnect(true)
      return
    }
    const player = this.inside.find((p) => p.id === sid)
    if (player && !this.game.settings.lobbyLost) this.game.late(() => player.socket.emit(sent.settings, gs))
  }

  say(player, message) {
    if (player === this.host && this.game.settings.chatLost > 0) {
      this.game.settings.chatLost--
      return
    }
    this.game.late(() => this.tell(sent.chat, player.id, message))
  }

  rename(player, name) {
    player.name = name
    this.tell(sent.renamed, player.id, name)
  }

  remove({ banshortid, kickonly }) {
    const player = this.inside.find((p) => p.id === banshortid)
    if (!player) return
    if (!kickonly) this.banned.add(player.name)
    this.tell(sent.removed, player.id, kickonly)
    this.inside = this.inside.filter((p) => p !== player)
    player.socket.disconnect(true)
  }

  left(player) {
    if (!this.inside.includes(player)) return
    this.inside = this.inside.filter((p) => p !== player)
    this.tell(sent.left, player.id, Date.now())
  }

  hostLeft() {
    if (this.over) return
    this.over = true
    for (const p of this.inside) {
      p.socket.emit(sent.hostLeft, 0, -1, Date.now())
      if (this.endsWithHost) p.socket.disconnect(true)
    }
  }

  everybody() { return [this.host, ...this.inside] }
  tell(...event) { for (const p of this.everybody()) p.socket.emit(...event) }
  tellOthers(player, ...event) { for (const p of this.everybody()) if (p !== player) p.socket.emit(...event) }

  view() {
    const { avatar, token: _, ...asked } = this.asked
    return {
      path: this.path, over: this.over, asked: { ...asked, bc: avatar.bc }, endsWithHost: this.endsWithHost,
      teamsLocked: this.teamsLocked, pings: this.pings,
      beats: this.beats.ping, answers: this.beats.pong,
      inside: this.inside.map((p) => p.name), timesyncs: this.host.socket.timesyncs, agent: this.agent,
    }
  }
}

// wellFormed checks the payload of a creation field by field.
function wellFormed(asked) {
  const is = (type, ...names) => names.every((name) => typeof asked[name] === type)
  return is('string', 'peerID', 'roomName', 'password', 'country', 'mode', 'token')
    && is('number', 'maxPlayers', 'dbid', 'minLevel', 'maxLevel', 'latitude', 'longitude', 'version', 'hidden')
    && is('boolean', 'guest', 'quick')
    && /^[0-9a-z]{10}v00000$/.test(asked.peerID)
    && asked.version === VERSION && asked.mode === 'custom' && asked.hidden === 1 && !asked.guest && !asked.quick
    && asked.minLevel === 0 && asked.maxLevel === 999
    && asked.avatar && Array.isArray(asked.avatar.layers) && typeof asked.avatar.bc === 'number'
}

// mute has a connection answer no ping, as when the server hangs.
function mute(socket) {
  const send = socket.conn.sendPacket.bind(socket.conn)
  socket.conn.sendPacket = (type, ...rest) => (type === 'pong' ? undefined : send(type, ...rest))
}

module.exports = { Game, VERSION, got, sent, token }
