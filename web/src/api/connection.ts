import { createSlice } from '@reduxjs/toolkit'

/** Whether the last request reached the server. */
export const connectionSlice = createSlice({
  name: 'connection',
  initialState: { away: false },
  reducers: {
    unanswered(state) {
      state.away = true
    },
    answered(state) {
      state.away = false
    },
  },
})

export const { answered, unanswered } = connectionSlice.actions

export const selectServerAway = (state: { connection: { away: boolean } }) => state.connection.away
