import { useState } from 'react'
import { ofTab, readStored, store } from '@/shared/lib/storage'
import { useSession } from '@/shared/session/useSession'

// MapDraft is what was typed into the map form. Files are not part of it: a browser hands them to a page once.
export interface MapDraft {
  description: string
  tags: string[]
  // A tag that was typed and not added yet.
  typedTag: string
}

const EMPTY: MapDraft = { description: '', tags: [], typedTag: '' }

// useMapDraft keeps what was typed in the tab, for the player who typed it, so that a reload does not lose it.
export function useMapDraft() {
  const user = useSession()
  // The form stays when the session ends in front of it, and so does its draft.
  const [key] = useState(`capzone-map-draft-${user?._id}`)
  const [draft, setDraft] = useState(() => read(key))

  const change = (part: Partial<MapDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    keep(key, next)
  }

  return { draft, change, forget: () => keep(key, EMPTY) }
}

function read(key: string): MapDraft {
  try {
    const kept: Partial<MapDraft> | null = JSON.parse(readStored(ofTab, key) ?? 'null')
    if (
      typeof kept?.description === 'string' &&
      typeof kept.typedTag === 'string' &&
      Array.isArray(kept.tags) &&
      kept.tags.every((tag) => typeof tag === 'string')
    ) {
      return { description: kept.description, tags: kept.tags, typedTag: kept.typedTag }
    }
  } catch {
    // What cannot be read is no draft.
  }
  return EMPTY
}

// Without storage a draft lives as long as its page.
function keep(key: string, draft: MapDraft): void {
  store(ofTab, key, draft === EMPTY ? null : JSON.stringify(draft))
}
