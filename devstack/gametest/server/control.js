'use strict'

// HTTP: the game's scripts and the pages of links, and what tests do: change the game's
// behaviour, look into rooms, be players.

const { sent } = require('./game')
const { Player } = require('./player')

const routes = (game) => ({
  'POST /scripts/login_legacy.php': ({ text }) => {
    const { loginStatus } = game.settings
    if (loginStatus !== 200) return { status: loginStatus, body: 'not now' }
    return game.login(new URLSearchParams(text))
  },
  'POST /scripts/getrooms.php': ({ text }) => game.getRooms(new URLSearchParams(text)),
  'POST /control/settings': ({ json }) => Object.assign(game.settings, json),
  'POST /control/accounts': ({ json }) => game.account(json.name, json),
  'GET /control/state': () => ({ logins: game.logins, serverQuestions: game.serverQuestions, rooms: game.rooms.map((r) => r.view()) }),
  // Sends the host of a room events, each as it stands.
  'POST /control/rooms/:n/events': ({ n, json }) => {
    for (const event of json) game.rooms[n].host.socket.emit(...event)
  },
  // Sends the host of a room frames of any text, packets or not.
  'POST /control/rooms/:n/frames': ({ n, json }) => {
    for (const frame of json) game.rooms[n].host.socket.conn.transport.socket.send(frame)
  },
  // Makes the player inside the host of a room.
  'POST /control/rooms/:n/handover': ({ n }) => { game.rooms[n].tell(sent.hostChanged, { oldHost: 0, newHost: game.rooms[n].newest }) },
  'POST /control/rooms/:n/drop': ({ n }) => { game.rooms[n].host.socket.conn.transport.socket.terminate() },
  'POST /control/players': ({ json }) => {
    game.players.push(new Player(game, json))
    return { number: game.players.length - 1 }
  },
  'GET /control/players/:n': ({ n }) => game.players[n].view(),
  'POST /control/players/:n/say': ({ n, json }) => { game.players[n].say(json.text) },
  'POST /control/players/:n/rename': ({ n, json }) => { game.players[n].rename(json.name) },
  'POST /control/players/:n/leave': ({ n }) => { game.players[n].leave() },
})

function control(game) {
  const table = routes(game)
  return (request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'GET' && /^\/\d{6}[0-9a-z]*$/.test(request.url)) {
        const { status, html } = game.page(request.url.slice(1))
        game.late(() => {
          response.writeHead(status, { 'Content-Type': 'text/html' })
          response.end(html)
        })
        return
      }
      const number = request.url.match(/\/(\d+)(?=\/|$)/)
      const route = table[`${request.method} ${request.url.replace(/\/\d+(?=\/|$)/, '/:n')}`]
      const text = Buffer.concat(chunks).toString()
      let status = 200
      let body
      try {
        if (!route) throw new Error(`no route ${request.method} ${request.url}`)
        const isJSON = (request.headers['content-type'] || '').includes('json')
        body = route({ text, n: number && Number(number[1]), json: isJSON ? JSON.parse(text) : undefined })
        if (body && body.status > 200) ({ status, body } = body)
      } catch (error) {
        status = 500
        body = { error: error.message }
      }
      const answer = () => {
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(body === undefined ? {} : body))
      }
      if (request.url.startsWith('/scripts/')) game.late(answer)
      else answer()
    })
  }
}

module.exports = { control }
