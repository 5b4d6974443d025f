import { refreshSession } from './api/refresh'
import { activateLocale, documentLanguage, showLanguage } from './locales'
import { preloadPage } from './routes/pages'
import { makeStore } from './store/store'
import { nextTask } from './ui/nextTask'
import './index.css'
import '@fontsource-variable/figtree'
import '@fontsource/saira-semi-condensed/latin-700.css'

await nextTask()
// The session, the language and the page's code are requested before the rest of the code is evaluated, which is a task
// of its own.
const store = makeStore()
const language = showLanguage(documentLanguage()).catch(() => activateLocale('en'))
const session = refreshSession(store)
preloadPage(location.pathname)
const [{ start }] = await Promise.all([import('./app/start'), language])
await start(store, session)
