'use strict'

// Starts the stand-in.

const fs = require('node:fs')
const http = require('node:http')
const https = require('node:https')
const socketIO = require('socket.io')

const { control } = require('./control')
const { Game } = require('./game')

const { PORT, TLS_CERT, TLS_KEY, TLS_ROOT } = process.env

const game = new Game()
const answer = control(game)
game.authorities = TLS_ROOT ? fs.readFileSync(TLS_ROOT) : undefined
const server = TLS_CERT
  ? https.createServer({ cert: fs.readFileSync(TLS_CERT), key: fs.readFileSync(TLS_KEY) }, answer)
  : http.createServer(answer)

const io = socketIO(server, {
  serveClient: false,
  transports: ['websocket'],
  pingInterval: Number(process.env.PING_INTERVAL) || 25000,
  pingTimeout: Number(process.env.PING_TIMEOUT) || 5000,
})
io.on('connection', (socket) => game.connected(socket))

game.address = `${TLS_CERT ? 'https' : 'http'}://127.0.0.1:${PORT}`
server.listen(Number(PORT), '127.0.0.1')
