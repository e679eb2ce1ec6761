"""Training: imitation and reinforcement in the simulator."""
