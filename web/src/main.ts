import { refreshSession } from './api/refresh'
import { activateLocale } from './locales'
import { preloadPage } from './routes/pages'
import { makeStore } from './store/store'
import './index.css'
import './ui/theme/fonts.css'

activateLocale('en')

// The session and the page's code are requested before the rest of the code is evaluated, which is a task of its own.
const store = makeStore()
const session = refreshSession(store)
preloadPage(location.pathname)
const { start } = await import('./app/start')
await start(store, session)
