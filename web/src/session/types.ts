/** The player who is logged in. Name, level and roles are for display; the server decides by the token. */
export interface User {
  _id: string
  name: string
  skinImageUrl: string | null
  skinColor?: string | null
  level?: number
  roles?: string[]
}

export interface SessionState {
  /** In memory only: a token in a storage could be read by any script. */
  accessToken: string | null
  user: User | null
  isAuthenticated: boolean
}
