'use strict'

// HTTP: the game's login, and what tests do: change the game's behaviour, look
// into rooms, be players.

const { Player } = require('./player')

const routes = (game) => ({
  'POST /scripts/login_legacy.php': ({ text }) => {
    const { loginStatus } = game.settings
    if (loginStatus !== 200) return { status: loginStatus, body: 'sorry' }
    return game.login(new URLSearchParams(text))
  },
  'POST /control/settings': ({ json }) => Object.assign(game.settings, json),
  'POST /control/accounts': ({ json }) => game.account(json.name, json),
  'GET /control/state': () => ({ logins: game.logins, rooms: game.rooms.map((r) => r.view()) }),
  // Sends the host of a room events, each as it stands.
  'POST /control/rooms/:n/events': ({ n, json }) => {
    for (const event of json) game.rooms[n].host.socket.emit(...event)
  },
  // Sends the host of a room frames of any text, packets or not.
  'POST /control/rooms/:n/frames': ({ n, json }) => {
    for (const frame of json) game.rooms[n].host.socket.conn.transport.socket.send(frame)
  },
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
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body === undefined ? {} : body))
    })
  }
}

module.exports = { control }
