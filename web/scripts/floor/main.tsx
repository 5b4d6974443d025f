import { configureStore, createSlice } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider, useSelector } from 'react-redux'
import { createBrowserRouter, RouterProvider } from 'react-router'

// The least that a page of the site has: React, a router with one route, a store with one slice and the requests' cache.
const sentence = createSlice({ name: 'sentence', initialState: 'This page is coming soon.', reducers: {} })
const api = createApi({ baseQuery: fetchBaseQuery(), endpoints: () => ({}) })
const store = configureStore({
  reducer: { sentence: sentence.reducer, api: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

function Floor() {
  return <p>{useSelector((state: { sentence: string }) => state.sentence)}</p>
}

const router = createBrowserRouter([{ path: '*', element: <Floor /> }])
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
)
