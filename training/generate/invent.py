"""Records of kinds that no file here has: products, flights, sensors, patients, jobs, rooms."""

import json
import random
from typing import Any

_FIRST = [
    "Ana",
    "Bruno",
    "Carla",
    "Dmitri",
    "Elif",
    "Farid",
    "Grace",
    "Hiro",
    "Ines",
    "Jonas",
    "Kofi",
    "Lena",
    "Marek",
    "Nadia",
]
_LAST = [
    "Okafor",
    "Silva",
    "Novak",
    "Haddad",
    "Lindqvist",
    "Moreau",
    "Tanaka",
    "Brandt",
    "Costa",
    "Petrov",
    "Diaz",
    "Ahmed",
]
_TOWNS = [
    "Lyon",
    "Porto",
    "Bergen",
    "Leeds",
    "Izmir",
    "Gdansk",
    "Austin",
    "Perth",
    "Nairobi",
    "Osaka",
    "Quito",
    "Turin",
]
_WORDS = [
    "Aurora",
    "Summit",
    "Harbor",
    "Maple",
    "Vertex",
    "Falcon",
    "Cedar",
    "Orion",
    "Delta",
    "Quartz",
    "Lumen",
    "Tidal",
]
_SHAPES: dict[str, dict[str, tuple[Any, ...]]] = {
    "product": {
        "price": (19.99, 49.5, 129, 349, 899), "in_stock": (True, False), "color": ("black", "red", "blue", "white"),
        "weight_kg": (0.4, 1.2, 3.5, 12), "warranty_years": (1, 2, 3, 5), "waterproof": (True, False),
        "batteryHours": (6, 10, 18, 30), "category": ("headphones", "backpack", "kettle", "drill", "tent"),
        "rating": (3.1, 3.8, 4.2, 4.9), "wireless": (True, False), "freeShipping": (True, False, None),
    },
    "flight": {
        "origin": tuple(_TOWNS), "destination": tuple(_TOWNS), "departure": ("06:15", "09:40", "14:05", "21:30"),
        "gate": ("A4", "B12", "C7", "D22"), "delayed": (True, False), "duration_minutes": (75, 130, 245, 610),
        "meal_included": (True, False, None), "seats_left": (0, 3, 14, 58), "aircraft": ("A320", "B738", "E190"),
        "refundable": (True, False), "stops": (0, 1, 2), "wifi": (True, False),
    },
    "patient": {
        "age": (23, 41, 58, 77), "smoker": (True, False, None), "bloodType": ("A+", "0-", "B+", "AB-"),
        "allergies": ("penicillin", "peanuts, latex", "none known", "sulfa drugs, eggs"),
        "heart_rate": (58, 72, 96, 118), "diabetic": (True, False), "medication": ("metformin", "ibuprofen", "lisinopril"),
        "systolic_pressure": (108, 124, 139, 165), "vaccinated": (True, False, None), "ward": ("3B", "5A", "ICU"),
    },
    "job": {
        "salary_eur": (38000, 52000, 71000, 96000), "remote": (True, False), "city": tuple(_TOWNS),
        "experience_years": (0, 2, 5, 8), "contract": ("permanent", "temporary", "freelance"),
        "benefits": ("health insurance, gym", "company car, pension", "stock options"),
        "visa_sponsorship": (True, False, None), "vacation_days": (20, 25, 30), "degreeRequired": (True, False),
    },
    "room": {
        "price_per_night": (59, 88, 140, 320), "beds": (1, 2, 3), "breakfast": (True, False),
        "balcony": (True, False), "area_m2": (14, 22, 35, 60), "floor": (1, 3, 7, 12), "parking": (True, False, None),
        "petsAllowed": (True, False), "check_in": ("14:0-22:0", "15:0-20:0", "16:0-23:0"),
        "amenities": ("kettle, desk", "minibar, safe, desk", "hair dryer"), "nonSmoking": (True, False),
    },
    "machine": {
        "max_load_kg": (500, 1200, 3000, 8000), "last_inspection": ("2024-03-11", "2025-06-02", "2023-11-30"),
        "operational": (True, False), "fuel": ("diesel", "electric", "petrol"), "noise_db": (68, 82, 95, 101),
        "operator_license_required": (True, False), "max_wind_kmh": (38, 50, 72), "rented": (True, False, None),
        "engine_hours": (120, 1840, 5600), "emergencyStop": (True, False),
    },
    "company": {
        "founded": (1948, 1987, 2003, 2016), "employees": (12, 85, 430, 12000), "headquarters": tuple(_TOWNS),
        "publicly_traded": (True, False), "revenue_million": (1.4, 18.2, 340, 5200), "ceo": tuple(f"{a} {b}" for a, b in zip(_FIRST, _LAST, strict=False)),
        "industry": ("textiles", "software", "shipping", "food"), "profitable": (True, False, None),
        "offices": ("Lyon, Porto", "Leeds, Austin, Osaka", "Turin"), "certified": (True, False),
    },
}  # fmt: skip


def invented(chance: random.Random) -> str:
    """One record as JSON text, some of its fields in an object of their own."""
    kind = chance.choice(sorted(_SHAPES))
    keys = chance.sample(sorted(_SHAPES[kind]), chance.randint(6, 9))
    values = {key: chance.choice(_SHAPES[kind][key]) for key in keys}
    inner = dict(list(values.items())[-3:])
    outer = {key: value for key, value in values.items() if key not in inner}
    record: dict[str, Any] = {"name": _name(kind, chance), "type": kind, **outer}
    record[chance.choice(("details", "attributes", "properties", "info"))] = inner
    return json.dumps(record)


def _name(kind: str, chance: random.Random) -> str:
    if kind == "patient":
        return f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
    return f"{chance.choice(_WORDS)} {chance.choice(_WORDS)} {chance.randint(2, 99)}"
