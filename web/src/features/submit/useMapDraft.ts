import { useRef, useState } from 'react'
import { useSession } from '@/store/hooks'
import { readStorage, writeStorage } from '@/ui/storage'

/** What was typed into the map form. Files are not part of it: a browser gives them to a page once. */
export interface MapDraft {
  description: string
  tags: string[]
  /** A tag that is not added yet. */
  typedTag: string
}

const EMPTY: MapDraft = { description: '', tags: [], typedTag: '' }

/** Keeps what was typed in the tab, for the player who typed it, so that a reload does not lose it. */
export function useMapDraft() {
  const user = useSession()
  // The form and its draft stay when the session ends while it is open.
  const [key] = useState(`capzone-map-draft-${user?._id}`)
  const [draft, setDraft] = useState(() => read(key))

  // One event may change two parts before the form is rendered again.
  const current = useRef(draft)
  const change = (part: Partial<MapDraft>) => {
    current.current = { ...current.current, ...part }
    setDraft(current.current)
    writeStorage('session', key, JSON.stringify(current.current))
  }
  return { draft, change, remove: () => writeStorage('session', key, null) }
}

function read(key: string): MapDraft {
  try {
    const stored: Partial<MapDraft> | null = JSON.parse(readStorage('session', key) ?? 'null')
    if (
      typeof stored?.description === 'string' &&
      typeof stored.typedTag === 'string' &&
      Array.isArray(stored.tags) &&
      stored.tags.every((tag) => typeof tag === 'string')
    ) {
      return { description: stored.description, tags: stored.tags, typedTag: stored.typedTag }
    }
  } catch {
    // A malformed value counts as no draft.
  }
  return EMPTY
}
