'use strict'

// A player at the other end of a real Socket.IO 2 client, who follows a room's
// link and remembers what the room's server says.

const client = require('socket.io-client')

const { VERSION, got, sent, token } = require('./game')

class Player {
  constructor(game, { link, name, guest = false, level = 1, avatar = { layers: [], bc: 0 }, bypass, password }) {
    this.chat = []
    this.status = ''
    this.lobby = null // the settings as the host told them
    this.hostGone = false
    this.state = 'joining'

    const room = game.roomOf(link)
    if (!room) {
      this.state = 'refused'
      this.status = 'room_not_found'
      return
    }
    let proof = { guest: true, guestName: name }
    if (!guest) {
      const account = game.accounts.get(name) || game.account(name, { level })
      account.level = level
      account.token = account.token || token(24)
      proof = { guest: false, dbid: account.id, token: account.token }
    }
    this.socket = client(game.address, { transports: ['websocket'], forceNew: true, reconnection: false, ca: game.certificate })
    this.socket.on('connect', () => this.socket.emit(got.join, {
      joinID: room.address, bypass: bypass === undefined ? room.bypass : bypass, password, peerID: `${token(5)}v00000`, version: VERSION, avatar, ...proof,
    }))
    this.socket.on(sent.entered, (id) => { this.id = id; this.state = 'inside' })
    this.socket.on(sent.status, (reason) => {
      this.status = reason
      if (this.state === 'joining') { this.state = 'refused'; this.socket.close() }
    })
    this.socket.on(sent.chat, (from, text) => this.chat.push({ from, text }))
    this.socket.on(sent.settings, (settings) => { this.lobby = settings })
    this.socket.on(sent.hostLeft, () => { this.hostGone = true })
    this.socket.on('disconnect', () => { if (this.state === 'inside') this.state = 'outside' })
    this.room = room
  }

  say(text) { this.socket.emit(got.chat, { message: text }) }
  leave() { this.socket.close() }
  rename(name) { this.room.rename(this.room.inside.find((p) => p.id === this.id), name) }

  view() {
    return { state: this.state, status: this.status, chat: this.chat, lobby: this.lobby, hostGone: this.hostGone }
  }
}

module.exports = { Player }
