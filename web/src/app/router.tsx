import { createBrowserRouter, type RouteObject } from 'react-router'
import { loginPath } from '@/config'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { Layout } from './layout/Layout'
import { RouteError } from './RouteError'

// Every route's page is a chunk of its own.
export const routes: RouteObject[] = [
  {
    path: '/',
    element: <Layout />,
    // In the place of the whole layout, its landmark included.
    errorElement: (
      <main>
        <RouteError />
      </main>
    ),
    hydrateFallbackElement: <LoadingScreen text="Loading..." />,
    children: [
      {
        errorElement: <RouteError />,
        children: [
          { index: true, lazy: () => import('@/routes/HomePage') },
          { path: 'map-search', lazy: () => import('@/routes/MapSearchPage') },
          { path: 'player-search', lazy: () => import('@/routes/PlayerSearchPage') },
          { path: 'player/:playerId', lazy: () => import('@/routes/PlayerPage') },
          { path: 'leaderboard/:mapId', lazy: () => import('@/routes/LeaderboardPage') },
          { path: 'map-submit', lazy: () => import('@/routes/MapSubmitPage') },
          { path: 'replay-submit/:mapId?', lazy: () => import('@/routes/ReplaySubmitPage') },
          { path: loginPath, lazy: () => import('@/routes/LoginPage') },
          { path: 'mapSeries/*', lazy: () => import('@/routes/MapSeriesPage') },
          { path: 'events/*', lazy: () => import('@/routes/EventsPage') },
          { path: 'privacy', lazy: () => import('@/routes/PrivacyPage') },
          { path: '*', lazy: () => import('@/routes/NotFoundPage') },
        ],
      },
    ],
  },
]

export const makeRouter = () => createBrowserRouter(routes)
