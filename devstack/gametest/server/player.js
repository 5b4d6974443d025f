'use strict'

// A player at the other end of a real Socket.IO 2 client, who does what the game's own client
// does, in its order: opens the link's page, connects, synchronises its clock, joins, waits for
// the first data, builds the lobby from it, and only then shows the chat.

const http = require('node:http')
const https = require('node:https')
const client = require('socket.io-client')

const { VERSION, got, sent, token } = require('./game')

const TIMESYNCS = 3
const FIRST_DATA_TIMEOUT = 6000

class Player {
  constructor(game, { link, name, guest = false, level = 1, avatar = { layers: [], bc: 0 }, bypass, password = '' }) {
    this.game = game
    this.chat = []
    this.status = ''
    this.lobby = null // what the lobby shows
    this.hostGone = false
    this.state = 'joining' // then inside or refused, broken (the lobby cannot be shown), outside
    this.asked = { name, guest, level, avatar, bypass, password }
    this.openPage(link).then((room) => this.connect(room), (error) => this.refuse(error.message))
  }

  openPage(link) {
    const get = link.startsWith('https') ? https.get : http.get
    return new Promise((resolve, reject) => {
      get(link, { ca: this.game.authorities }, (response) => {
        let html = ''
        response.on('data', (chunk) => { html += chunk })
        response.on('end', () => {
          const found = html.match(/<script id="autojoin">(.*)<\/script>/)
          const autojoin = response.statusCode === 200 && found ? JSON.parse(found[1]) : { r: 'fail' }
          if (autojoin.r === 'success') resolve(autojoin)
          else reject(new Error('room_not_found'))
        })
      }).on('error', reject)
    })
  }

  // proof is how the player says who they are.
  proof() {
    const { name, guest, level } = this.asked
    if (guest) return { guest: true, guestName: name, dbid: 2 }
    const account = this.game.accounts.get(name) || this.game.account(name, { level })
    account.level = level
    account.token = account.token || token(24)
    return { guest: false, dbid: account.id, token: account.token }
  }

  connect({ address, bypass }) {
    this.address = address
    this.socket = client(this.game.address, {
      transports: ['websocket'], forceNew: true, reconnection: false, ca: this.game.authorities,
    })
    this.socket.on('connect', () => this.synchronise(TIMESYNCS, () => this.socket.emit(got.join, {
      joinID: address, bypass: this.asked.bypass === undefined ? bypass : this.asked.bypass, roomPassword: this.asked.password,
      peerID: `${token(5)}v00000`, version: VERSION, avatar: this.asked.avatar, ...this.proof(),
    })))
    this.socket.on(sent.entered, (id) => {
      this.id = id
      this.timer = setTimeout(() => this.fail('Initial data timeout.'), FIRST_DATA_TIMEOUT)
    })
    this.socket.on(sent.settings, (settings) => this.showLobby(settings))
    this.socket.on(sent.status, (reason) => {
      this.status = reason
      if (this.state === 'joining' && this.id === undefined) this.refuse(reason)
    })
    this.socket.on(sent.chat, (from, text) => { if (this.state === 'inside') this.chat.push({ from, text }) })
    this.socket.on(sent.hostLeft, () => { this.hostGone = true })
    this.socket.on('disconnect', () => { if (this.state === 'inside' || this.state === 'joining') this.state = 'outside' })
  }

  synchronise(times, done) {
    if (times === 0) return done()
    this.socket.emit(got.timesync, { jsonrpc: '2.0', id: times, method: 'timesync' }, () => this.synchronise(times - 1, done))
  }

  // showLobby shows the map's name and draws its picture, as the game's lobby does. It throws where a client would.
  showLobby(settings) {
    clearTimeout(this.timer)
    if (this.state !== 'joining') return
    try {
      const { map } = settings
      const { shapes, fixtures, bodies, bro, joints } = map.physics
      const picture = [...bro].map((number) => bodies[number].fx.map((fixture) => shapes[fixtures[fixture].sh].type))
      const shown = [map.m.n.toString(), map.m.a.toString(), map.spawns.length, map.capZones.length, joints.length]
      if (typeof map.v !== 'number' || typeof map.s.re !== 'boolean') throw new TypeError('no settings')
      this.lobby = { ...settings, picture, shown }
      this.state = 'inside'
    } catch (error) {
      this.fail(error.message)
    }
  }

  refuse(reason) {
    this.state = 'refused'
    this.status = reason
    if (this.socket) this.socket.close()
  }

  // fail leaves the player with a page that shows no lobby and no chat. The connection stays.
  fail(reason) {
    this.state = 'broken'
    this.status = reason
  }

  get room() { return this.game.rooms.find((r) => r.address === this.address) }

  say(text) { this.socket.emit(got.chat, { message: text }) }
  leave() { this.socket.close() }
  rename(name) { this.room.rename(this.room.inside.find((p) => p.id === this.id), name) }

  view() {
    return { state: this.state, status: this.status, chat: this.chat, lobby: this.lobby, hostGone: this.hostGone }
  }
}

module.exports = { Player }
