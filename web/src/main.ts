import { refreshSession } from './api/refresh'
import { makeStore } from './store/store'
import './index.css'
import './ui/theme/fonts.css'

// The session is requested before the rest of the code is evaluated, which is a task of its own.
const store = makeStore()
const session = refreshSession(store)
const { start } = await import('./app/start')
await start(store, session)
