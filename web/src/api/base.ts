import { createApi } from '@reduxjs/toolkit/query/react'
import { baseQuery } from './baseQuery'

/** The API of the site; generated.ts adds its endpoints, index.ts its tags and hooks. */
export const baseApi = createApi({ reducerPath: 'api', baseQuery, endpoints: () => ({}) })
