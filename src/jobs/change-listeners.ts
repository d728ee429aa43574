/** Who waits for a job to change. */
export interface ChangeListeners {
  add(id: string, listener: () => void): () => void
  tell(id: string): void
}

export function createChangeListeners(): ChangeListeners {
  const byId = new Map<string, Set<() => void>>()
  return {
    add(id, listener) {
      const listeners = byId.get(id) ?? new Set()
      byId.set(id, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && byId.get(id) === listeners) byId.delete(id)
      }
    },
    tell(id) {
      for (const listener of [...(byId.get(id) ?? [])]) listener()
    },
  }
}
